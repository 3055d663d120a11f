"""Where did this hand calculation go wrong? Answers are read, judged step by step, and marked."""
