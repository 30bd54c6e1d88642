"""The studies, a file each: what is asked, what runs, and which targets it is held to."""
