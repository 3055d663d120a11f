"""What a student and a teacher do on a practice site, in Chromium, on a phone and a desk; in this order."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rendering.browser import DESKTOP, PHONE, Browser, axe
from rendering.programs import Needs

from attnsolve.batch import find

START = 250  # seconds, of a machine that does other things too


@pytest.fixture
def browser(needs: Needs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    started = Browser(needs("chromium"), tmp_path_factory.mktemp("chromium"))
    yield started
    started.close()


@pytest.fixture
def exercise(browser: Browser, served: tuple[str, Any]) -> Browser:
    """The exercise, on a phone, when Python is there; it is started once."""
    browser.show(PHONE)
    browser.visit(served[0] + "ist-practical-10.html")
    assert "Find the weights" in browser.evaluate(
        "document.body.innerText"
    )  # at once, before anything is loaded
    browser.wait("document.body.dataset.ready !== undefined", seconds=START)
    return browser


def at(name: str, what: str = "") -> str:
    return f"document.querySelector('[data-name=\"{name}\"]{' ' + what if what else ''}')"


def typed(browser: Browser, name: str, *numbers: str) -> None:
    inputs = json.dumps(numbers)
    browser.evaluate(
        f"{inputs}.forEach((text, place) => {{ const one = {at(name)}.querySelectorAll('input')[place]; "
        "one.value = text; one.dispatchEvent(new Event('input', { bubbles: true })); })"
    )


def wished(browser: Browser, name: str, wish: str) -> str:
    """What is said after a button was pressed."""
    browser.evaluate(f"{at(name, '.said')}.textContent = '', {at(name, f'[data-wish={wish}]')}.click()")
    browser.wait(f"{at(name, '.said')}.textContent !== ''")
    said: str = browser.evaluate(f"{at(name, '.said')}.innerText")
    return said


def a_wrong_scale_is_heard_by_its_name(exercise: Browser) -> None:
    typed(exercise, "a.S", "4.5", "0", "9/2", "0")
    assert wished(exercise, "a.S", "answer").startswith("Right.")
    typed(exercise, "a.T", "4,5", "0", "4.5", "0")
    assert "known mistake: “unscaled”" in wished(exercise, "a.T", "answer")
    assert ("right", "wrong") == tuple(
        exercise.evaluate(f"{at(name)}.dataset.stand") for name in ("a.S", "a.T")
    )


def hints_rise_to_the_value(exercise: Browser) -> None:
    told = []
    for hint in (
        "large scores would leave nearly all weight on one key",
        "that is not right",
        "Do not forget to scale the scores.",
        "it should be 2.5981",
    ):
        exercise.evaluate(f"{at('a.T', '[data-wish=hint]')}.click()")
        told.append(hint)
        exercise.wait(f"{json.dumps(told)}.every(one => {at('a.T', '.said')}.innerText.includes(one))")


def what_follows_from_a_slip_is_right_for_these_numbers(exercise: Browser) -> None:
    # The softmax of unscaled scores 4.5 0 4.5 0: e^4.5 / (2 e^4.5 + 2) and 1 / (2 e^4.5 + 2).
    typed(exercise, "a.A", "0.4945", "0.0055", "0.4945", "0.0055")
    assert "Right for your numbers: you went on from a.T" in wished(exercise, "a.A", "answer")


def the_keyboard_moves_checks_and_pastes(exercise: Browser) -> None:
    exercise.evaluate(f"{at('b.Q', 'input')}.focus()")
    for key, label in (
        ("ArrowRight", "row 1, column 2"),
        ("ArrowDown", "row 2, column 2"),
        ("ArrowLeft", "row 2, column 1"),
    ):
        exercise.press(key)
        assert label in exercise.evaluate("document.activeElement.getAttribute('aria-label')")
    exercise.evaluate(
        f"(() => {{ const one = {at('b.Q', 'input')}; one.focus(); const data = new DataTransfer(); "
        "data.setData('text', '-2.25 4.5\\n1.25 2\\n-1.25 4.75\\n-2.75\\t-3.5'); "
        "const event = { clipboardData: data, bubbles: true, cancelable: true }; "
        "one.dispatchEvent(new ClipboardEvent('paste', event)); })()"
    )
    exercise.press("Enter")
    exercise.wait(f"{at('b.Q')}.dataset.stand === 'right'")


def the_keypad_of_a_phone_writes_signs(exercise: Browser) -> None:
    exercise.evaluate(f"{at('b.K', 'input')}.focus()")
    assert "flex" == exercise.evaluate("getComputedStyle(document.getElementById('keypad')).display")
    for key in ("-", "√"):
        exercise.evaluate(f"document.querySelector('[data-key=\"{key}\"]').click()")
    assert "-√" == exercise.evaluate(f"{at('b.K', 'input')}.value")
    exercise.evaluate("document.querySelector('[data-move=\"1\"]').click()")
    assert "row 1, column 2" in exercise.evaluate("document.activeElement.getAttribute('aria-label')")


def a_link_has_these_numbers(exercise: Browser, served: tuple[str, Any]) -> None:
    exercise.evaluate("document.getElementById('link').click()")
    exercise.wait("document.querySelector('#told a') !== null")
    assert served[0] + "ist-practical-10.html?variant=0" == exercise.evaluate(
        "document.querySelector('#told a').href"
    )


def a_worked_example_stands_beside_it(exercise: Browser) -> None:
    exercise.show(DESKTOP)
    exercise.evaluate("document.getElementById('beside').click()")
    there = "document.getElementById('example')"
    exercise.wait(f"{there}.contentDocument?.querySelector('.formula') != null")
    side = "getBoundingClientRect()"
    assert exercise.evaluate(f"document.getElementById('exercise').{side}.right <= {there}.{side}.left")
    exercise.evaluate("document.getElementById('beside').click()")
    exercise.show(PHONE)


def the_map_fills_as_one_types(exercise: Browser) -> None:
    empty = f"{at('b.A')}.querySelectorAll('.fills .empty').length"
    assert 16 == exercise.evaluate(empty)
    typed(exercise, "b.A", "0.5", "1/4", "e^-1", "√2/2", "0,1", "zero")
    exercise.wait(f"{empty} === 11")
    shares = (
        f"[...{at('b.A')}.querySelectorAll('.fills span')].map(one => one.style.getPropertyValue('--share'))"
    )
    # 1/e = 0.3679, √2/2 = 0.7071.
    assert ["50%", "25%", "37%", "71%", "10%", ""] == exercise.evaluate(shares)[:6]


def a_worked_step_is_shown_and_typed_text_is_no_markup(exercise: Browser) -> None:
    assert "2.5981" in wished(exercise, "a.T", "show")
    typed(exercise, "a.Z", "<img src=x>", "1", "1")
    assert "was not read" in wished(exercise, "a.Z", "answer")
    assert not exercise.evaluate("document.querySelectorAll('.said img').length")


def axe_finds_nothing(exercise: Browser, source: str) -> None:
    for size, dark in ((DESKTOP, True), (PHONE, False)):
        exercise.show(size, dark=dark)
        assert [] == axe(exercise, source)
        assert exercise.evaluate("document.documentElement.scrollWidth <= innerWidth")


def nothing_comes_from_elsewhere(exercise: Browser, served: tuple[str, Any]) -> None:
    addresses = exercise.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    assert addresses
    assert [] == [one for one in addresses if not one.startswith((served[0], "data:"))]
    sent = [
        one["params"]["request"]["url"]
        for one in exercise.events
        if one["method"] == "Network.requestWillBeSent"
    ]
    assert [] == [one for one in sent if not one.startswith((served[0], "data:"))]
    said = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
    assert [] == [one["params"] for one in exercise.events if one["method"] in said]


def another_one_like_this(exercise: Browser) -> None:
    numbers = "document.querySelector('#part-a .formula').textContent"
    before = exercise.evaluate(numbers)
    exercise.evaluate("document.getElementById('new').click()")
    exercise.wait("location.search === '?variant=1'")
    assert before != exercise.evaluate(numbers)
    assert "Variant 1." == exercise.evaluate("document.getElementById('which').textContent")
    # What was done with the first numbers stays; a link to them goes on with it.
    assert "4.5" in exercise.evaluate("localStorage.getItem('attnsolve:ist-practical-10:1:0')")
    typed(exercise, "a.S", "1", "2", "3", "4")
    assert "Not right yet." in wished(exercise, "a.S", "answer")


def it_is_there_again_when_the_server_has_stopped(exercise: Browser, served: tuple[str, Any]) -> None:
    ready = "navigator.serviceWorker.ready.then(one => one.active?.state === 'activated')"
    exercise.wait(ready, seconds=START)
    exercise.wait("navigator.serviceWorker.controller !== null")
    exercise.evaluate("fetch('engine/sympy.zip').then(one => one.arrayBuffer()).then(one => one.byteLength)")
    served[1].shutdown()
    served[1].server_close()
    exercise.visit(served[0] + "ist-practical-10.html")
    assert "Find the weights" in exercise.evaluate("document.body.innerText")
    assert "Loading" in exercise.evaluate("document.getElementById('state').textContent")


# What the button writes into a file.
EXPORTED = "import('./assets/keeping.js').then(one => one.exported())"


def bring(browser: Browser, field: str, *files: tuple[str, str]) -> None:
    """Choose files in a field for files."""
    browser.evaluate(
        f"(() => {{ const data = new DataTransfer(); "
        f"{json.dumps(files)}.forEach(([name, text]) => data.items.add(new File([text], name))); "
        f"const one = document.getElementById('{field}'); one.files = data.files; "
        "one.dispatchEvent(new Event('change')); })()"
    )


GOOD = "format: 1\ntitle: T\ngiven: {X: 1 0; 0 1}\nparts: [{ask: A!, self_attention: {input: X}, find: A}]\n"
TANH = "format: 1\ntitle: T\ngiven: {X: 0 1}\nparts: [{ask: Find T., plan: [{T: tanh(X)}], find: T}]\n"


def a_teachers_file_is_checked_and_drawn_as_it_is_typed(exercise: Browser, served: tuple[str, Any]) -> None:
    """All of it without a server: Python and SymPy come from what the first visit has kept."""
    exercise.visit(served[0] + "own.html")
    exercise.wait("document.querySelector('#exercise .value') !== null", seconds=START)

    def write(text: str) -> None:
        exercise.evaluate(
            f"(() => {{ const one = document.getElementById('source'); one.value = {json.dumps(text)}; "
            "one.dispatchEvent(new Event('input')); })()"
        )

    faults = "document.getElementById('faults')"
    write(GOOD.replace("0 1}", "0 one}"))
    exercise.wait(f"{faults}.textContent.startsWith('3:')")
    assert exercise.evaluate("document.getElementById('exercise').inert")
    exercise.evaluate(f"{faults}.querySelector('button').click()")
    cursor = "document.getElementById('source').selectionStart"
    assert GOOD.index("1}") == exercise.evaluate(cursor)  # where `one` stands
    write(GOOD)
    exercise.wait(f"{faults}.textContent === '' && {at('a.S')} !== null")
    typed(exercise, "a.S", "1", "0", "0", "1")
    assert wished(exercise, "a.S", "answer").startswith("Right.")
    write(TANH)
    exercise.wait(f"{at('a.T')}?.querySelectorAll('input').length === 2", seconds=START)
    typed(exercise, "a.T", "0", "0.7616")  # tanh 1
    assert wished(exercise, "a.T", "answer").startswith("Right.")
    bring(
        exercise, "open", ("t.yaml", GOOD.replace("X: 1 0; 0 1", "X: {file: x.csv}")), ("x.csv", "2,0\n0,1")
    )
    exercise.wait(f"{at('a.S')} !== null")
    typed(exercise, "a.S", "4", "0", "0", "1")
    assert wished(exercise, "a.S", "answer").startswith("Right.")
    bring(exercise, "open", ("quiz.yaml", find("attention-quiz").read_text("utf-8")))
    exercise.wait(f"{at('a.choice')} !== null")
    # Scores 2, 2, 3 over √2: 1 / (1 + 2 e^-0.7071) = 0.503.
    right = "[...document.querySelectorAll('#part-a li')].find(one => one.textContent.includes('0.503'))"
    exercise.evaluate(f"{right}.querySelector('label').click()")
    assert wished(exercise, "a.choice", "answer").startswith("Right.")
    bring(exercise, "open", ("ist.yaml", find("ist-practical-10").read_text("utf-8")))
    exercise.wait(f"{at('c.Z')} !== null")


def progress_goes_out_and_in_as_a_file(exercise: Browser, served: tuple[str, Any]) -> None:
    exercise.visit(served[0] + "index.html")
    assert "0 of 19" == exercise.evaluate(f"{at('ist-practical-10', '.begun')}.textContent")
    kept = exercise.evaluate(EXPORTED)
    exercise.evaluate("localStorage.clear()")
    bring(exercise, "import", ("p.json", '{"elsewhere": "x"}'))
    exercise.wait("document.getElementById('told').textContent.startsWith('This file has no progress')")
    bring(exercise, "import", ("p.json", kept))
    exercise.wait("document.getElementById('told').textContent === 'Progress was taken over.'")
    assert json.loads(kept) == json.loads(exercise.evaluate(EXPORTED))


@pytest.mark.timeout(400)
def test_what_a_student_and_a_teacher_do(exercise: Browser, served: tuple[str, Any], needs: Needs) -> None:
    """One after the other in one browser: Python takes longest to start, and does so twice."""
    axe_source = (Path(needs("axe-core")) / "axe.min.js").read_text("utf-8")
    a_wrong_scale_is_heard_by_its_name(exercise)
    hints_rise_to_the_value(exercise)
    what_follows_from_a_slip_is_right_for_these_numbers(exercise)
    the_keyboard_moves_checks_and_pastes(exercise)
    the_keypad_of_a_phone_writes_signs(exercise)
    the_map_fills_as_one_types(exercise)
    a_link_has_these_numbers(exercise, served)
    a_worked_example_stands_beside_it(exercise)
    a_worked_step_is_shown_and_typed_text_is_no_markup(exercise)
    axe_finds_nothing(exercise, axe_source)
    nothing_comes_from_elsewhere(exercise, served)
    another_one_like_this(exercise)
    it_is_there_again_when_the_server_has_stopped(exercise, served)
    exercise.show(DESKTOP)
    a_teachers_file_is_checked_and_drawn_as_it_is_typed(exercise, served)
    # The same exercise is open there, without a server and on a desk.
    a_wrong_scale_is_heard_by_its_name(exercise)
    hints_rise_to_the_value(exercise)
    what_follows_from_a_slip_is_right_for_these_numbers(exercise)
    the_keyboard_moves_checks_and_pastes(exercise)
    the_map_fills_as_one_types(exercise)
    assert "none" == exercise.evaluate("getComputedStyle(document.getElementById('keypad')).display")
    a_worked_step_is_shown_and_typed_text_is_no_markup(exercise)
    axe_finds_nothing(exercise, axe_source)
    progress_goes_out_and_in_as_a_file(exercise, served)
    axe_finds_nothing(exercise, axe_source)
