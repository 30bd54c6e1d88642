"""How many tables a question needs: what the set model is fitted on, how, and what it is worth."""
