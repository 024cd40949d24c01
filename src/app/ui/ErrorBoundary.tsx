import { Component, type ReactNode } from 'react';
import { Button } from './Button';

/** Catches errors while rendering: shows a message and a way to continue instead of a white page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <section role="alert" className="mishap">
        <p>Something went wrong on this screen.</p>
        <button type="button" onClick={() => this.setState({ isBroken: false })}>
          Try again
        </button>
        <Button onClick={() => location.reload()}>Reload the page</Button>
      </section>
    );
  }
}
