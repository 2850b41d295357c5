"""The demo of Order Sensitivity: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("order_sensitivity")

if __name__ == "__main__":
    demo.launch()
