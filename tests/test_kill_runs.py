"""Runs that are killed: a short round of what `tests/kill_runs.py` does at length."""

import kill_runs
import pytest

# With one process; how a site is written is tested with it, and PDFs take longer.
QUICK = [job for job in kill_runs.JOBS if "-" not in job.name and job.name != "site"]


@pytest.mark.parametrize("job", QUICK, ids=lambda job: job.name)
def test_a_killed_run_leaves_nothing_half_and_the_next_one_ends_as_if_undisturbed(job: kill_runs.Job) -> None:
    assert [] == list(kill_runs.faults(job, 2, seed=4))
