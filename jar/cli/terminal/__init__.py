"""What a terminal shows beyond plain lines: trees, bars, colours, the width heeded, examples in every help."""
