"""all-MiniLM-L6-v2 without torch: its weights, its tokenizer and its network, run by onnxruntime."""
