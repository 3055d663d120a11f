"""What follows from somebody's own numbers: the steps as they would be from what was written before."""
