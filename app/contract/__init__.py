"""What the provider's two services say: records, codes, rules. Imports nothing of ours."""
