"""Files full of signs that steer a terminal, or turn the direction of writing: no command passes them on."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from attnsolve.cli import cli
from attnsolve.cli.speech import complain
from attnsolve.errors import AttnsolveError

STEERS = "\x1b[31m\u202eX\x9b31m\x07"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
TURNED = "\\u202eX\\u2066"  # a problem file may have these, and no control characters
TYPED = "\\e[31m\\u202eX\\u009b31m\\a"
GOOD = f"""format: 1
title: "Title {TURNED}"
source: "Source {TURNED}"
intro: "Intro {TURNED}"
given: {{q: 1 2, K: '1 0; 0 1; 1 1', V: '2 0; 0 4; 1 1'}}
parts:
  - ask: "Find {TURNED}"
    note: "Note {TURNED}"
    attend: {{queries: q, keys: K, values: V}}
    find: [S, A, Z]
    marks: {{scores: 1, weights: 2, output: 1}}
  - ask: "Why {TURNED}?"
    discuss: "Because {TURNED}"
    marks: 2
vary: {{q: -9..9, K: -9..9, V: -9..9}}
"""
BAD = f"""format: 1
title: "x {TYPED}"
"key{TYPED}": 1
given: {{q: "1 {TYPED} 2", "K{TYPED}": 1 2}}
parts:
  - ask: x
    "attend{TYPED}": {{queries: "q{TYPED}", keys: K}}
  - ask: y
    attend: {{queries: "zz{TURNED}", keys: "kk{TURNED}", values: V, weights: "soft{TURNED}"}}
"""
STRANGE = f"named{STEERS}.yaml"
COMMANDS = (
    *(
        (name, file)
        for name in ("show", "lint", "render", "check")
        for file in ("good.yaml", "bad.yaml", STRANGE)
    ),
    ("lint", "."),
    ("render", f"nobody{STEERS}"),
    ("render", "good.yaml", "--style", "style.yaml"),
    ("render", "good.yaml", STRANGE, "-o", "out/"),
    ("render", "good.yaml", "-o", f"out{STEERS}.md"),
    ("plot", STRANGE, "-o", "map.svg"),
    ("variants", "stress", "good.yaml", "-n", "5"),
    ("variants", "good.yaml", "--roster", "roster.csv", "-o", "exam"),
    ("variants", "list", "exam"),
    ("variants", "diff", "exam", "1", "2"),
    ("variants", "affected", "exam", "good.yaml"),
    ("variants", "reissue", "exam", f"who{STEERS}"),
    ("variants", "good.yaml", "--roster", "twice.csv", "-o", "other"),
    ("variants", "good.yaml", "--roster", "headless.csv", "-o", "other"),
    ("verify", "good.yaml", "answers.txt"),
    ("verify", "good.yaml", "answers.yaml"),
    ("verify", "good.yaml", "answers.csv"),
    ("verify", "good.yaml", "answers.txt", "--hints", "4"),
    ("verify", "good.yaml", f"S 1 2 3 {STEERS}"),
    ("grade", "good.yaml", "answers.txt", "-o", "marks.csv", "--roster", "roster.csv", "--slips", "slips"),
    ("grade", "good.yaml", "answers.txt", "-o", f"marks{STEERS}.csv"),
    ("grade", "good.yaml", "answers.txt"),
    ("grade", "good.yaml", "answers.txt", "-o", "by-hand.csv", "--overrides", "by-hand.txt"),
    ("practice", "good.yaml", "--progress", f"progress{STEERS}.json"),
    ("site", "good.yaml", "-o", f"site{STEERS}"),
)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every kind of file that is read, with such signs wherever there is text."""
    path = tmp_path_factory.mktemp("signs")
    texts = {
        "good.yaml": GOOD,
        "bad.yaml": BAD,
        STRANGE: GOOD,
        "style.yaml": f'format: 1\n"x{TYPED}": 1\nfooter: "{TYPED}"\n',
        "answers.txt": f'@ ann{STEERS}\na.S 1 2 3{STEERS}\na.A{STEERS} 1\nmark b 1 "{STEERS}"\n{STEERS}\n',
        "answers.yaml": f'student: "ann{TYPED}"\nanswers:\n  "a.S{TYPED}": "1 {TYPED}"\n  a.A: "{TURNED}"\n',
        "answers.csv": f"student,a.S,a.{STEERS}\nann{STEERS},1 {STEERS},2\n",
        "roster.csv": f"student,name\n1,Ann{STEERS}\n2,Bob{STEERS}\n",
        "twice.csv": f"student,name\n1{STEERS},Ann{STEERS}\n2,Bob\n2,Bert{STEERS}\n",
        "headless.csv": f"stu{STEERS},na{STEERS}\n1,2\n",
        "by-hand.txt": f'@ ann{STEERS}\nmark a.A{STEERS} 1/2 "{STEERS}"\nappeal {STEERS} a.Z 1 "{STEERS}"\n',
    }
    for name, text in texts.items():
        (path / name).write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    "words", COMMANDS, ids=lambda words: " ".join(words).encode("unicode_escape").decode()
)
def test_no_sign_of_a_file_steers_a_terminal(
    words: tuple[str, ...], room: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(room)
    ended = CliRunner().invoke(cli, list(words), input="S 1 2 3\nhint\nshow\nquit\n")
    said = ended.output
    if isinstance(ended.exception, AttnsolveError):
        complain(ended.exception)
        said += capsys.readouterr().err
    elif ended.exception is not None and not isinstance(ended.exception, SystemExit):
        raise ended.exception
    assert said.strip() or ended.exit_code == 0
    assert [] == [line for line in said.splitlines() if OBEYED.search(line)]
