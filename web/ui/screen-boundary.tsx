// What is shown when a screen breaks or its script cannot be loaded: a sentence and a way on, never a white page.
import { RotateCw, TriangleAlert } from "lucide-react";
import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";

type ScreenBoundaryProps = { readonly children: ReactNode };
type ScreenBoundaryState = { readonly isBroken: boolean };

export class ScreenBoundary extends Component<ScreenBoundaryProps, ScreenBoundaryState> {
  override state: ScreenBoundaryState = { isBroken: false };

  static getDerivedStateFromError(): ScreenBoundaryState {
    return { isBroken: true };
  }

  override render(): ReactNode {
    return this.state.isBroken ? (
      <main role="alert">
        <EmptyState
          icon={TriangleAlert}
          title="This screen could not be shown"
          action={
            <Button icon={RotateCw} onClick={() => location.reload()}>
              Reload the page
            </Button>
          }
        >
          What was saved is safe. A newer version of the app may be waiting.
        </EmptyState>
      </main>
    ) : (
      this.props.children
    );
  }
}
