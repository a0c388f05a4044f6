import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorBox } from '../components/feedback/error-box.tsx'
import { PageSkeleton } from '../components/feedback/page-skeleton.tsx'
import { Page, type Crumb } from '../components/page/page.tsx'
import { isNotFound } from '../lib/api/api-error.ts'
import { NotFoundPage } from './not-found-page.tsx'

interface LoadedPageProps<Data> {
  query: UseQueryResult<Data>
  /** The title if the data could not be read. */
  title: string
  crumbs?: Crumb[]
  /** Whether the data belong to this address: data of another course do not. */
  isHere?: (data: Data) => boolean
  /** Renders the page once its data are loaded. */
  children: (data: Data) => ReactNode
}

/** A page that loads its data: placeholder, 404, failure or the page itself. */
export function LoadedPage<Data>(props: LoadedPageProps<Data>) {
  const { query, title, crumbs = [], isHere, children } = props
  if (isNotFound(query.error)) return <NotFoundPage />
  if (query.isPending) return <PageSkeleton />
  if (query.isLoadingError)
    return (
      <Page title={title} crumbs={crumbs}>
        <ErrorBox of={query} />
      </Page>
    )
  if (isHere && !isHere(query.data)) return <NotFoundPage />
  return children(query.data)
}
