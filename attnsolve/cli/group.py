"""All commands as one, and how a run of one ends."""

from __future__ import annotations

import gc
import sys
from typing import NoReturn

import click

from attnsolve import __version__
from attnsolve.cli.commands import COMMANDS, Everything
from attnsolve.cli.stopping import exit_code, heeding
from attnsolve.errors import AttnsolveError, BugFound


@click.group(cls=Everything, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="attnsolve")
def cli() -> None:
    """Every command of attnsolve."""


for command in COMMANDS:
    cli.add_command(command)


def run() -> NoReturn:
    """Run a command; whatever goes wrong ends in a sentence and an exit code, never in a traceback."""
    try:
        with heeding():
            cli.main(prog_name="attnsolve", standalone_mode=False)
    except AttnsolveError as error:
        from attnsolve.cli.speech import complain

        sys.exit(complain(error))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt) as stopped:  # click tells its own from what it was told
        click.echo("stopped", err=True)
        sys.exit(exit_code(stopped.__cause__ or stopped))
    except MemoryError:
        click.echo("there is not enough memory for this", err=True)
        sys.exit(AttnsolveError.exit_code)
    except UnicodeEncodeError as error:  # what is printed goes into a file of another encoding
        from attnsolve.cli.speech import complain, unprinted

        sys.exit(complain(unprinted(error)))
    except OSError:
        raise  # no bug; `main` says what the system refused
    except Exception as error:
        from attnsolve.cli.speech import report, tell

        tell(f"attnsolve hit a bug ({type(error).__name__}); details in {report(error)}")
        sys.exit(BugFound.exit_code)
    finally:
        gc.freeze()  # the end of a process lets everything go: nobody need look for what could be let go
    sys.exit(0)
