"""The demo of Entity Inclusion: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("entity_inclusion")

if __name__ == "__main__":
    demo.launch()
