"""A marker in which some students' answers hang, sleep, eat memory or hit a bug, told by their names."""

import os
import time

from attnsolve.grading.marker import main
from attnsolve.report import Report
from attnsolve.submission import Submission
from attnsolve.verifier.verification import Verifier

verify = Verifier.verify


def misbehave(self: Verifier, submission: Submission) -> Report:
    """Judge, unless somebody is called after what goes wrong."""
    match submission.student:
        case "hang":
            while True:
                pass
        case "sleep":
            time.sleep(600)
        case "eat":
            [bytes(10**8) for _ in range(10**4)]
        case "die":
            os._exit(3)
        case "bug":
            raise KeyError("never seen")
        case "chatter":
            print("words of some library")
    return verify(self, submission)


Verifier.verify = misbehave  # type: ignore[method-assign]

if __name__ == "__main__":
    main()
