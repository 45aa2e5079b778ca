"""Hand-made cases by kind: what rules of language are there for, so that a rule can be judged before it goes."""
