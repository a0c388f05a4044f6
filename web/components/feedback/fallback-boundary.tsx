import { Component, type ReactNode } from 'react'

interface FallbackBoundaryProps {
  /** Shown once the children have thrown or could not be loaded. */
  fallback: ReactNode
  children: ReactNode
}

/** An error boundary: a failing part does not take down the page and its input. */
export class FallbackBoundary extends Component<FallbackBoundaryProps, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.fallback : this.props.children
  }
}
