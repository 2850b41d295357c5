"""The demo of Entity Hallucination: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("entity_hallucination")

if __name__ == "__main__":
    demo.launch()
