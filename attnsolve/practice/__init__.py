"""Practice: an exercise value by value, with verdicts at once and hints that rise; without a screen."""
