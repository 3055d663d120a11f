"""Trained layers as exercises: exact numbers give the layer's own output, and files cannot do any harm."""

import json
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

torch = pytest.importorskip("torch")

import attnsolve  # noqa: E402
from attnsolve.cli import main  # noqa: E402
from attnsolve.companion.checking import check  # noqa: E402
from attnsolve.companion.explained import Choices  # noqa: E402
from attnsolve.companion.explanation import explain  # noqa: E402
from attnsolve.companion.weights import read  # noqa: E402
from attnsolve.errors import LayerError  # noqa: E402
from attnsolve.limits import Limits  # noqa: E402
from attnsolve.problem import Problem  # noqa: E402

# The exact value is rounded to this many places before it is compared, and torch has its own roundings.
PLACES, CLOSE = 17, 1e-14


def layer(width: int = 4, heads: int = 2, *, seed: int = 0, dtype: Any = None, **choices: Any) -> Any:
    """A layer whose numbers, biases too, are neither 0 nor equal."""
    torch.manual_seed(seed)
    made = torch.nn.MultiheadAttention(width, heads, **choices)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.uniform_(-1.5, 1.5)
    return made.to(dtype or torch.float32).eval()


def tokens(count: int = 3, width: int = 4, *, dtype: Any = None) -> Any:
    torch.manual_seed(count + width)
    return torch.randn(count, width).to(dtype or torch.float32)


def own(module: Any, x: Any) -> Any:
    """What the layer itself makes of n×d tokens, in float64."""
    module, x = module.double(), x.double()
    with torch.no_grad():
        return module(x, x, x, average_attn_weights=False)


def solved(problem: Problem, name: str) -> Any:
    rows = attnsolve.solve(problem).value(name).decimals(PLACES)
    return torch.tensor([[float(cell.fraction) for cell in row] for row in rows], dtype=torch.float64)


def assert_same(problem: Problem, module: Any, x: Any) -> None:
    output, weights = own(module, x)
    torch.testing.assert_close(solved(problem, "a.Z"), output, rtol=0, atol=CLOSE)
    for place in range(module.num_heads):
        mine = solved(problem, f"a.head{place + 1}.A")
        torch.testing.assert_close(mine, weights[place], rtol=0, atol=CLOSE)


# -- from_torch --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "count"),
    [
        (layer(), 3),
        (layer(4, 1), 2),
        (layer(4, 4), 1),
        (layer(6, 3, seed=1), 4),
        (layer(8, 2, seed=2), 5),
        (layer(1, 1), 2),
        (layer(bias=False), 3),
        (layer(batch_first=True), 3),
        (layer(dtype=torch.float64), 3),
        (layer(dtype=torch.float16), 3),
        (layer(dtype=torch.bfloat16), 3),
        (layer(dropout=0.5), 3),
    ],
)
def test_exact_numbers_give_the_output_of_the_layer(module: Any, count: int) -> None:
    x = tokens(count, module.embed_dim)
    assert_same(attnsolve.from_torch(module, x), module, x)


def test_separate_projections_are_read_too() -> None:
    module, x = layer(kdim=4, vdim=4), tokens()
    module._qkv_same_embed_dim = False
    for place, name in enumerate(("q_proj_weight", "k_proj_weight", "v_proj_weight")):
        setattr(module, name, torch.nn.Parameter(module.in_proj_weight[4 * place : 4 * place + 4].detach()))
    module.in_proj_weight = None
    assert_same(attnsolve.from_torch(module, x), module, x)


@pytest.mark.parametrize(
    ("batch_first", "shape"), [(True, (1, 3, 4)), (False, (3, 1, 4)), (True, (3, 4)), (False, (3, 4))]
)
def test_batch_of_one_is_one_sequence(batch_first: bool, shape: tuple[int, ...]) -> None:
    module, x = layer(batch_first=batch_first), tokens()
    assert_same(attnsolve.from_torch(module, x.reshape(shape)), module, x)


def test_lists_and_whole_numbers_are_tokens_too() -> None:
    module = layer()
    for x in ([[1, 2, 3, 4], [0.5, 0, 0, -1]], torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])):
        assert_same(attnsolve.from_torch(module, x), module, torch.as_tensor(x, dtype=torch.float64))


def test_problem_is_what_load_gives_and_torch_agrees_with_it() -> None:
    problem = attnsolve.from_torch(layer(), tokens())
    assert isinstance(problem, Problem)
    assert "Head 2" in attnsolve.render(problem)
    found = check(attnsolve.solve(problem))
    assert found.fine and any("nn.MultiheadAttention" in one.against for one in found.layers)


def test_numbers_are_rounded_to_the_places_asked_for() -> None:
    problem = attnsolve.from_torch(layer(), [[0.125, -0.0049, 2, 1e-9]], places=2)
    assert (("0.13", "0", "2", "0"),) == problem.givens["X"].typed
    assert all(len(cell.partition(".")[2]) <= 2 for row in problem.givens["W_Q"].typed for cell in row)
    largest = (solved(problem, "a.Z") - own(layer(), tokens(1))[0]).abs().max()
    assert largest > 0


def test_bias_of_zeros_is_left_out() -> None:
    torch.manual_seed(0)
    fresh = torch.nn.MultiheadAttention(4, 2)  # torch starts with biases of 0
    problem = attnsolve.from_torch(fresh, tokens())
    assert {"X", "W_Q", "W_K", "W_V", "W_O"} == set(problem.givens)
    assert_same(problem, fresh, tokens())


@pytest.mark.parametrize(
    ("module", "x", "said"),
    [
        (torch.nn.Linear(4, 4), tokens(), "takes an nn.MultiheadAttention, not a Linear"),
        (layer(add_zero_attn=True), tokens(), "add_zero_attn"),
        (layer(add_bias_kv=True), tokens(), "bias_k"),
        (layer(kdim=3, vdim=4), tokens(), "keys are made of 3 numbers (kdim)"),
        (layer(), tokens(3, 5), "a token of the input has 5 numbers, the layer expects 4"),
        (layer(), tokens()[0], "the input is 4; tokens are rows"),
        (layer(), torch.zeros(0, 4), "the input is 0×4"),
        (layer(batch_first=True), torch.zeros(2, 3, 4), "more than one sequence"),
        (layer(), torch.zeros(1, 3, 4), "more than one sequence"),  # without batch_first: three of one token
        (layer(), torch.full((2, 4), float("nan")), "nan"),
        (layer(), torch.full((2, 4), float("inf")), "inf"),
        (layer(), torch.zeros(2, 4, dtype=torch.complex64), "complex64"),
        (layer(), torch.zeros(2, 4).to_sparse(), "no plain tensor"),
        (layer(), torch.zeros(2, 4, device="meta"), "no plain tensor"),
        (layer(), "nothing", "no tensor of numbers"),
        (layer(), [[1, 2], [3]], "no tensor of numbers"),
        (layer(68, 2), tokens(2, 68), "68 numbers a token; the limit is 64"),
        (layer(34, 34), tokens(2, 34), "34 heads; the limit is 16"),
        (layer(), tokens(65), "65 tokens; the limit is 64"),
        (layer(), torch.zeros(1, 1).expand(10**9, 4), "1000000000 tokens"),
        (layer(), torch.zeros(1, 1).expand(2, 10**9), "1000000000 numbers"),
    ],
)
def test_what_cannot_be_explained_is_told(module: Any, x: Any, said: str) -> None:
    with pytest.raises(LayerError) as refused:
        attnsolve.from_torch(module, x)
    assert said in str(refused.value)


def test_limits_may_be_raised() -> None:
    problem = attnsolve.from_torch(layer(), tokens(65), limits=Limits(tokens=65))
    assert 65 == problem.givens["X"].value.shape[0]


# -- files -------------------------------------------------------------------------------------------


def safetensors(tensors: dict[str, Any], *, dtype: str = "F32") -> bytes:
    """A safetensors file by hand."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, value in tensors.items():
        numbers = value.detach().flatten().tolist()
        if dtype == "BF16":
            packed = b"".join(struct.pack("<f", number)[2:] for number in numbers)
        else:
            packed = struct.pack(f"<{len(numbers)}{ {'F64': 'd', 'F32': 'f', 'F16': 'e'}[dtype] }", *numbers)
        offsets = [len(body), len(body) + len(packed)]
        header[name] = {"dtype": dtype, "shape": list(value.shape), "data_offsets": offsets}
        body += packed
    return framed(header, body)


def framed(header: Any, body: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("prefix", ["", "encoder.layers.0.self_attn."])
def test_state_dict_in_a_file(bias: bool, prefix: str, tmp_path: Path) -> None:
    module, x = layer(bias=bias), tokens()
    state = {prefix + name: value for name, value in module.state_dict().items()}
    others = {"encoder.layers.0.linear1.weight": torch.ones(2, 2)} if prefix else {}
    torch.save({**state, **others}, tmp_path / "layer.pt")
    torch.save(x[None], tmp_path / "x.pt")
    text = explain(tmp_path / "layer.pt", str(tmp_path / "x.pt"), choices=Choices(2))
    assert_same(attnsolve.loads(text), module, x)


@pytest.mark.parametrize(
    ("stored", "dtype"),
    [("F64", torch.float64), ("F32", torch.float32), ("F16", torch.float16), ("BF16", torch.bfloat16)],
)
def test_safetensors_file(stored: str, dtype: Any, tmp_path: Path) -> None:
    module, x = layer(dtype=dtype), tokens(dtype=dtype)
    (tmp_path / "layer.safetensors").write_bytes(safetensors(module.state_dict(), dtype=stored))
    (tmp_path / "x.safetensors").write_bytes(safetensors({"x": x}, dtype=stored))
    text = explain(tmp_path / "layer.safetensors", str(tmp_path / "x.safetensors"), choices=Choices(2))
    assert_same(attnsolve.loads(text), module, x)


def test_typed_tokens_stay_as_they_are_typed(tmp_path: Path) -> None:
    torch.save(layer().state_dict(), tmp_path / "layer.pt")
    text = explain(tmp_path / "layer.pt", "1/3 sqrt(2) 0.125 -1; 0 0 1 2", choices=Choices(2), places=1)
    assert (("1/3", "sqrt(2)", "0.125", "-1"), ("0", "0", "1", "2")) == attnsolve.loads(text).givens[
        "X"
    ].typed


def test_single_number_needs_no_heads_said(tmp_path: Path) -> None:
    torch.save(layer(1, 1).state_dict(), tmp_path / "layer.pt")
    assert "heads: 1" in explain(tmp_path / "layer.pt", "1; 2")


class Bomb:
    """What a hostile pickle does: call something when it is loaded."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


@pytest.mark.parametrize("inside", [lambda bomb: bomb, lambda bomb: {"in_proj_weight": bomb}])
@pytest.mark.parametrize("modern", [True, False])
def test_pickle_bomb_is_refused_and_does_not_go_off(inside: Any, modern: bool, tmp_path: Path) -> None:
    mark, file = tmp_path / "mark", tmp_path / "layer.pt"
    torch.save(inside(Bomb(mark)), file, _use_new_zipfile_serialization=modern)
    for arguments in ((file, "1 2"), (tmp_path / "good.pt", str(file))):
        torch.save(layer(2, 1).state_dict(), tmp_path / "good.pt")
        with pytest.raises(LayerError, match=r"torch\.save\(layer\.state_dict\(\)"):
            explain(*arguments, choices=Choices(1))
    assert not mark.exists()
    torch.load(file, weights_only=False)  # the bomb itself is real
    assert mark.exists()


STATE = {name: value for name, value in layer().state_dict().items()}


@pytest.mark.parametrize(
    ("saved", "heads", "said"),
    [
        (layer(), 2, "no plain state dict"),
        (torch.ones(2, 2), 2, "holds a Tensor, not a state dict"),
        ([1, 2], 2, "holds a list, not a state dict"),
        ({}, 2, "its names are none"),
        ({"weight": torch.ones(2, 2)}, 2, "holds no nn.MultiheadAttention"),
        ({"model": STATE}, 2, "holds more than tensors by name"),
        ({1: torch.ones(2)}, 2, "holds more than tensors by name"),
        (
            {f"{n}.{key}": value for n in (0, 1) for key, value in STATE.items()},
            2,
            "2 attention layers (0., 1.)",
        ),
        ({**STATE, "lora": torch.ones(2)}, 2, "'lora' is no part of an nn.MultiheadAttention"),
        ({**STATE, "bias_k": torch.ones(1, 1, 4)}, 2, "bias_k, a learned key"),
        ({**STATE, "out_proj.bias": torch.ones(5)}, 2, "out_proj.bias is 5; with 4 numbers a token"),
        ({**STATE, "in_proj_weight": torch.ones(4, 12)}, 2, "in_proj_weight is 4×12"),
        ({**STATE, "in_proj_bias": torch.ones(1, 12)}, 2, "in_proj_bias is 1×12; it must have 1 side"),
        ({**STATE, "out_proj.weight": torch.ones(4, 5)}, 2, "out_proj.weight is 4×5"),
        ({**STATE, "out_proj.weight": torch.ones(0, 0)}, 2, "out_proj.weight is 0×0"),
        ({**STATE, "in_proj_weight": torch.ones(1, 1).expand(12, 4).long()}, 2, "int64"),
        ({**STATE, "in_proj_bias": torch.full((12,), float("nan"))}, 2, "b_Q has nan in it"),
        (STATE, None, "say --heads N (one of 1, 2, 4)"),
        (STATE, 3, "4 numbers a token cannot be shared by 3 heads equally"),
    ],
)
def test_state_that_is_not_one_is_told(saved: Any, heads: int | None, said: str, tmp_path: Path) -> None:
    torch.save(saved, tmp_path / "layer.pt")
    with pytest.raises(LayerError) as refused:
        explain(tmp_path / "layer.pt", "1 2 3 4", choices=Choices(heads))
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("1 2 3", "a token of the input has 3 numbers"),
        ("1 2 3 4; 1", "need the same length"),
        ("", "no tokens"),
        (" ; ", "no tokens"),
        ("1 2 3 four", "neither a file"),
        ("__import__('os') 2 3 4", "neither a file"),
        ("9^9^9 2 3 4", "not allowed"),
        ("x.npy", "neither a file"),
        ("nowhere.pt", "cannot be read"),
        ("a\0b.pt", "cannot be read"),
        ("1 2 3 4;" * 65, "65 tokens; the limit is 64"),
        ("1 2 3 4 #", "neither a file"),
    ],
)
def test_input_that_is_none_is_told(typed: str, said: str, tmp_path: Path) -> None:
    torch.save(STATE, tmp_path / "layer.pt")
    with pytest.raises(LayerError) as refused:
        explain(tmp_path / "layer.pt", typed, choices=Choices(2))
    assert said in str(refused.value)


def test_input_with_two_tensors_is_told(tmp_path: Path) -> None:
    torch.save(STATE, tmp_path / "layer.pt")
    with pytest.raises(LayerError, match="holds 4 things; one tensor is expected"):
        explain(tmp_path / "layer.pt", str(tmp_path / "layer.pt"), choices=Choices(2))


ENTRY = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
ONE = b"\0" * 8


def changed(**entries: Any) -> bytes:
    return framed({"x": {**ENTRY, **entries}}, ONE)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is cut off"),
        (b"\x01\0\0", "is cut off"),
        ((2**63).to_bytes(8, "little") + b"{}", "is cut off"),
        ((100).to_bytes(8, "little") + b"{}", "header should have 100 bytes"),
        (framed(b""), "not the JSON"),
        (framed(b"{"), "not the JSON"),
        (framed(b"\xff\xfe"), "not the JSON"),
        (framed(b"[" * 5000), "not the JSON"),
        (framed(b'{"x": ' * 5000), "not the JSON"),
        (framed(b'{"x": ' + b"9" * 5000 + b"}"), "not the JSON"),
        (framed(b'{"x": 1, "x": 2}'), "not the JSON"),
        (framed([]), "not a map"),
        (framed({"x": 1}), "no dtype, shape and data_offsets"),
        (framed({"x\n\x1b[31m": 1}), "the entry of 'x[31m'"),
        (framed({"x": {"dtype": "F32"}}), "no dtype, shape and data_offsets"),
        (changed(dtype=7), "no dtype, shape and data_offsets"),
        (changed(shape=2), "no dtype, shape and data_offsets"),
        (changed(shape=[-2]), "no dtype, shape and data_offsets"),
        (changed(shape=[2.0]), "no dtype, shape and data_offsets"),
        (changed(shape=[True]), "no dtype, shape and data_offsets"),
        (changed(shape=[1] * 9), "no dtype, shape and data_offsets"),
        (changed(data_offsets=[0]), "no dtype, shape and data_offsets"),
        (changed(extra=1), "no dtype, shape and data_offsets"),
        (changed(data_offsets=[8, 0]), "overlap or leave a gap"),
        (changed(data_offsets=[0, 4]), "its tensors need 4 bytes, it has 8"),
        (changed(data_offsets=[0, 2**70]), "its tensors need"),
        (changed(data_offsets=[4, 8]), "leave a gap at byte 0"),
        (changed(shape=[3]), "'x' is 3 but has 8 bytes"),
        (changed(shape=[2**40, 2**40]), "but has 8 bytes"),
        (changed(shape=[0, 2**62]), "but has 8 bytes"),
        (changed(dtype="I64", shape=[1]), "is stored as I64; only F64, F32, F16, BF16 are read"),
        (changed(dtype="F8_E4M3", shape=[8]), "is stored as F8_E4M3"),
        (changed(dtype="\x1b[2J" * 30), "is stored as [2J"),
        (framed({"x": ENTRY, "y": ENTRY}, ONE), "overlap"),
        (framed({"x": ENTRY}, ONE + b"more"), "its tensors need 8 bytes, it has 12"),
    ],
)
def test_broken_safetensors_are_told(data: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "x.safetensors").write_bytes(data)
    with pytest.raises(LayerError) as refused:
        read(tmp_path / "x.safetensors")
    assert said in str(refused.value)
    assert str(refused.value).isprintable()


def test_every_truncation_of_a_file_is_told(tmp_path: Path) -> None:
    whole = safetensors({"x": torch.ones(2, 2), "y": torch.ones(3)})
    for length in range(len(whole)):
        (tmp_path / "x.safetensors").write_bytes(whole[:length])
        with pytest.raises(LayerError):
            read(tmp_path / "x.safetensors")
    torch.save(torch.ones(2, 2), tmp_path / "x.pt")
    whole = (tmp_path / "x.pt").read_bytes()
    for length in range(0, len(whole), 37):
        (tmp_path / "x.pt").write_bytes(whole[:length])
        with pytest.raises(LayerError):
            read(tmp_path / "x.pt")


def test_empty_tensor_is_read_as_one(tmp_path: Path) -> None:
    entry = {"dtype": "F32", "shape": [0, 4], "data_offsets": [0, 0]}
    (tmp_path / "x.safetensors").write_bytes(framed({"x": entry}))
    assert (0, 4) == tuple(read(tmp_path / "x.safetensors")["x"].shape)


def test_archive_that_unpacks_to_more_is_refused(tmp_path: Path) -> None:
    torch.save(torch.zeros(10**6), tmp_path / "big.pt")
    with (
        zipfile.ZipFile(tmp_path / "big.pt") as stored,
        zipfile.ZipFile(tmp_path / "bomb.pt", "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        for entry in stored.infolist():
            packed.writestr(entry.filename, stored.read(entry))
    with pytest.raises(LayerError, match="is packed"):
        read(tmp_path / "bomb.pt")
    with pytest.raises(LayerError, match="more than 1000000 bytes, the limit"):
        read(tmp_path / "big.pt")


@pytest.mark.parametrize("data", [b"", b"nothing", b"PK\x03\x04", b"PK\x03\x04" + b"\xff" * 200])
def test_file_that_torch_did_not_write_is_told(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.pt").write_bytes(data)
    with pytest.raises(LayerError, match=r"no file of torch\.save"):
        read(tmp_path / "x.pt")


def test_file_of_another_kind_is_told(tmp_path: Path) -> None:
    with pytest.raises(LayerError, match=r"must end in \.pt, \.pth or \.safetensors"):
        read(tmp_path / "x.npy")


# -- the command line --------------------------------------------------------------------------------


class Ended(NamedTuple):
    """How a command ended, and what it said where."""

    code: int
    out: str
    err: str


Run = Callable[..., Ended]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """`attnsolve ARGUMENTS` in a folder with a layer and its input."""
    monkeypatch.chdir(tmp_path)
    torch.save(layer().state_dict(), "layer.pt")
    torch.save(tokens(), "x.pt")

    def command(*arguments: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["attnsolve", *arguments])
        with pytest.raises(SystemExit) as ending:
            main()
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Ended(int(ending.value.code or 0), out, err)

    return command


EXPLAIN = ("explain", "layer.pt", "--input", "x.pt", "--heads", "2")


def test_explain_prints_a_worked_solution(run: Run) -> None:
    ended = run(*EXPLAIN)
    assert (0, "") == (ended.code, ended.err)
    assert ended.out.startswith("# A layer of PyTorch with 2 heads")
    assert "rounded to 2 places" in ended.out


def test_explain_writes_a_problem_that_renders_and_checks(run: Run) -> None:
    assert Ended(0, "", "p.yaml\n") == run(*EXPLAIN, "--exact", "-o", "p.yaml")
    assert_same(attnsolve.load("p.yaml"), layer(), tokens())
    assert 0 == run("render", "p.yaml", "-o", "p.md").code
    assert "torch agrees" in run("check", "p.yaml").out
    ended = run("check", "--script", "p.yaml")
    assert "nn.MultiheadAttention agrees with a.Z" in ended.out


@pytest.mark.parametrize(
    ("output", "start"), [("s.tex", r"\documentclass"), ("s.md", "# A layer"), ("s.json", "{")]
)
def test_explain_writes_documents(run: Run, output: str, start: str) -> None:
    assert Ended(0, "", f"{output}\n") == run(*EXPLAIN, "-o", output)
    assert start in Path(output).read_text(encoding="utf-8")[:200]
    assert 1 == run(*EXPLAIN, "--places", "3", "-o", output).code  # there already
    assert 0 == run(*EXPLAIN, "--places", "3", "-o", output, "--force").code


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((*EXPLAIN, "--places", "2", "--exact"), 2, "choose one"),
        (EXPLAIN[:-2], 3, "say --heads N"),
        ((*EXPLAIN, "-o", "s.docx"), 2, ".docx is not a format of ours"),
        (("explain", "no.pt", "--input", "x.pt"), 3, "'no.pt' cannot be read"),
        ((*EXPLAIN, "--limit", "tokens=2"), 3, "3 tokens; the limit is 2"),
        (("check", "ist-practical-10", "-o", "x.py"), 2, "-o belongs to --script"),
        (("check", "--script", "--json", "ist-practical-10"), 2, "choose one"),
        (("check", "--script", "ist-practical-10", "lab-5-costs", "-o", "x.py"), 2, "name a folder"),
    ],
)
def test_commands_tell_what_is_wrong(run: Run, arguments: tuple[str, ...], code: int, said: str) -> None:
    ended = run(*arguments)
    assert (code, "") == (ended.code, ended.out)
    assert said in ended.err


def test_scripts_are_printed_and_written(run: Run) -> None:
    printed = run("check", "--script", "ist-practical-10").out
    assert Ended(0, "", "a/x.py\n") == run("check", "--script", "ist-practical-10", "-o", "a/x.py")
    assert printed == Path("a/x.py").read_text(encoding="utf-8")
    assert 0 == run("check", "--script", "ist-practical-10", "lab-5-costs", "-o", "b/").code
    assert {"ist-practical-10.py", "lab-5-costs.py"} == {path.name for path in Path("b").iterdir()}
    Path("a/x.py").write_text("mine", encoding="utf-8")
    assert 1 == run("check", "--script", "ist-practical-10", "-o", "a/x.py").code
    assert "mine" == Path("a/x.py").read_text(encoding="utf-8")
    assert 0 == run("check", "--script", "ist-practical-10", "-o", "a/x.py", "--force").code


WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
from attnsolve.cli import main
main()
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "lab-5-costs"),
        ("check", "--script", "lab-5-costs"),
        ("explain", "layer.pt", "--input", "1 2"),
    ],
)
def test_without_torch_every_command_says_how_to_get_it(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-c", WITHOUT_TORCH, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert 1 == done.returncode
    assert "PyTorch is not installed" in done.stderr
