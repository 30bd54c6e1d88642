"""What "jar" stands for: weights chosen on training questions over 137 databases."""

from __future__ import annotations

from dataclasses import replace

from formulations import JarObjective

DEFAULT_OBJECTIVE = JarObjective(coarse=10, fine=6, coverage=8, join=2.5)
"""The paper's weights for Spider with fine relevance 6 for 2 and joins 2.5 for 1, chosen for the join score "default".
``JarObjective()`` has the paper's own."""

LEXICAL = 0.2
"""Weight of shared words in the relevance of a table."""
NAMES = 0.7
"""Weight of the vector of its database and name in the text of a table with endlessly many columns."""
DATABASE = 0.7
"""Weight in the relevance of a table of what its database falls short of the best one."""
VALUE = 0.25
"""Weight in the relevance of a table of the values that the question names."""
EDITION = 0.1
"""What a table loses in relevance that is an edition which the question does not ask for."""
VARIANT = 0.2
"""What a table loses in relevance that has the columns of others which the question asks for by their names."""
TWIN = 0.2
"""What a table loses in relevance that another schema has, too, for which more speaks."""


def has_default_weights(objective: JarObjective) -> bool:
    """Whether an objective weighs as "jar" does, whatever it says of connected sets."""
    return replace(objective, connect=DEFAULT_OBJECTIVE.connect) == DEFAULT_OBJECTIVE
