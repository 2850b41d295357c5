"""The demo of Counterfactual Outcomes: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("counterfactual_outcomes")

if __name__ == "__main__":
    demo.launch()
