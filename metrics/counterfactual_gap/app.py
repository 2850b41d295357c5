"""The demo of Counterfactual Gap: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("counterfactual_gap")

if __name__ == "__main__":
    demo.launch()
