import { Component, Suspense, type ReactNode } from 'react'

interface FallbackBoundaryProps {
  /** Shown once the children have thrown or could not be loaded. */
  fallback: ReactNode
  /** Shown while they are loaded. Default: nothing. */
  loading?: ReactNode
  children: ReactNode
}

/** An error boundary: a failing part does not take down the page and its input. */
export class FallbackBoundary extends Component<FallbackBoundaryProps, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    const { fallback, loading, children } = this.props
    return this.state.broken ? fallback : <Suspense fallback={loading}>{children}</Suspense>
  }
}
