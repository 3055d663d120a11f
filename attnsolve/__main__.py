"""`python -m attnsolve` is the command line."""

from attnsolve.cli import main

if __name__ == "__main__":
    main()
