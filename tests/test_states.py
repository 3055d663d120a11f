"""Files of ours that were damaged: none of them stops us without a word, and none is overwritten."""

from pathlib import Path

import fuzz_states


def test_damaged_files_are_refused_in_words_and_stay_as_they_are(tmp_path: Path) -> None:
    room = fuzz_states.made_room(tmp_path / "room")
    tried, found = fuzz_states.run(room.path, 7, lambda count: count >= 60)
    assert [] == found
    assert 60 == tried
