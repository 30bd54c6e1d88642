"""One question as a page to explore: the answer, the best sets under other wishes, and the file that shows them."""
