// Shown in place of a part that breaks or whose script cannot be loaded. Everything around it keeps working.
import { Component, type ReactNode } from "react";

type BoundaryProps = { readonly fallback: ReactNode; readonly children: ReactNode };
type BoundaryState = { readonly isBroken: boolean };

/** React logs the error to the console. Remount it (with its key) to try again. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { isBroken: false };

  static getDerivedStateFromError(): BoundaryState {
    return { isBroken: true };
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children;
  }
}
