import { Component, type ReactNode } from 'react'

interface FallbackBoundaryProps {
  /** Shown instead once the children broke or could not be loaded. */
  fallback: ReactNode
  children: ReactNode
}

/** Keeps what breaks in one corner from taking the whole page, and what was typed on it, away. */
export class FallbackBoundary extends Component<FallbackBoundaryProps, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.fallback : this.props.children
  }
}
