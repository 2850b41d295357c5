"""The demo of Psycholinguistic Norms: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("psycholinguistic_norms")

if __name__ == "__main__":
    demo.launch()
