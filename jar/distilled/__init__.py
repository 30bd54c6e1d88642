"""Vectors of texts by word pieces and pairs of them, distilled from all-MiniLM-L6-v2; nothing but numpy is needed."""
