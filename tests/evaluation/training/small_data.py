"""A few questions, a few passages, and a base model of some thousand weights that was never
trained: enough to see that training does what it says, in a second.
"""

from pathlib import Path

from evaluation.training.pairs import Question

WORDS = (
    "which city river bank holds old stone bridge opened king year ferry harbour revenue winter "
    "museum painter born north south castle founded film director song wrote band album"
).split()
PASSAGES = {
    "p1": "Norrby Bridge\nThe old stone bridge over the river opened in the year of the king.",
    "p2": "Harbour Ferry\nThe ferry revenue of the harbour fell in winter.",
    "p3": "Castle Museum\nThe museum in the castle was founded by a painter.",
    "p4": "North Band\nThe band wrote a song for the album.",
    "p5": "South Film\nThe director of the film was born in the south.",
    "p6": "River Bank\nA bank that holds the north of the city.",
}
QUESTIONS = [
    Question("q1", "which year opened the stone bridge", ("p1",)),
    Question("q2", "which revenue fell in winter", ("p2",)),
    Question("q3", "which painter founded the castle museum", ("p3",)),
    Question("q4", "which band wrote the song", ("p4",)),
    Question("q5", "where was the film director born", ("p5",)),
    Question("q6", "which bank holds the city with the old bridge", ("p1", "p6")),
]


def save_small_model(folder: Path) -> Path:
    """Save a sentence-transformers model with random weights that knows `WORDS`."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    inner = folder / "transformer"
    inner.mkdir(parents=True)
    letters = [chr(at) for at in range(ord("a"), ord("z") + 1)]
    pieces = [*letters, *(f"##{letter}" for letter in letters), "the", "of", "in", *WORDS]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(pieces)]
    (inner / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    BertTokenizerFast(str(inner / "vocab.txt"), do_lower_case=True).save_pretrained(inner)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        BertModel(
            BertConfig(
                vocab_size=len(vocabulary),
                hidden_size=32,
                num_hidden_layers=1,
                num_attention_heads=2,
                intermediate_size=64,
                max_position_embeddings=64,
            )
        ).save_pretrained(inner)
    words = Transformer(str(inner), max_seq_length=32)
    pooling = Pooling(words.get_embedding_dimension())
    SentenceTransformer(modules=[words, pooling], device="cpu").save(
        str(folder / "model"), create_model_card=False
    )
    return folder / "model"
