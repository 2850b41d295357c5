"""The demo of Counterfactual Pairs: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("counterfactual_pairs")

if __name__ == "__main__":
    demo.launch()
