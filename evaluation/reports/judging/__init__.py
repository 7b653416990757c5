"""The Judgement queue, and who judged what."""
