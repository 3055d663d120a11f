"""The words a file uses for the values of a part, and the letters that they are kept and printed under."""

LETTERS = {
    "queries": "Q",
    "keys": "K",
    "values": "V",
    "scores": "S",
    "scaled": "T",
    "turned_queries": "Qr",
    "turned_keys": "Kr",
    "biased": "Sb",
    "capped": "Sc",
    "masked": "M",
    "weights": "A",
    "output": "Z",
    "concatenation": "C",
    # positions
    "positions": "P",
    "encoded": "E",
    # a decoder step
    "context": "C",
    "joined": "G",
    "state": "H",
    "logits": "O",
    "probabilities": "Y",
    "loss": "L",
    # tiles
    "maximum": "m",
    "rescaling": "r",
    "exponentials": "P",
    "running_sum": "l",
    "running_output": "O",
    "ledger": "Lg",
    # a recurrent network
    "states": "Hs",
    "update_gate": "z",
    "reset_gate": "r",
    "candidate": "n",
    "input_gate": "i",
    "forget_gate": "f",
    "output_gate": "o",
    "memory": "c",
    # a language model
    "embedded": "X_0",
    "final": "N_f",
    "cooled": "O_t",
    "perplexity": "PP",
    # an encoder block
    "residual": "R1",
    "norm": "N1",
    "hidden": "F",
    "activated": "G",
    "feed_forward": "E",
}
