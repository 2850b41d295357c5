"""The demo of Coverage Parity: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("coverage_parity")

if __name__ == "__main__":
    demo.launch()
