"""A practice site: a static folder with exercises to type into, judged in the reader's own browser."""
