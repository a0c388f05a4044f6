import { Box, Button, Center, Text, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBox } from '../feedback/error-box.tsx'

export interface LoadMoreProps {
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => Promise<unknown>
    isFetchNextPageError?: boolean
    error?: unknown
  }
  /** How many items of the list are shown. */
  count: number
  /** A note to read before loading more. */
  note?: ReactNode
  /** The list: each item is a row of a table's body, or an item of a `ul`. */
  children: ReactNode
}

/** The result of the last press on the button. */
interface Outcome {
  /** Number of items before the button was pressed. */
  before: number
  /** Number of items after the new page has arrived. */
  total: number
  hasFailed: boolean
  /** Whether the list is now complete. */
  isAll: boolean
}

/** The items of the list in an element; items may hold lists of their own. */
function itemsIn(box: HTMLElement | null): HTMLElement[] {
  const items = box?.querySelectorAll<HTMLElement>(
    ':is(tbody > tr, ul > li):not(:scope :is(tr, li) *)',
  )
  return [...(items ?? [])]
}

/** The element that takes the focus in an item: its link or button, or else the item itself. */
function targetIn(item: HTMLElement | undefined): HTMLElement | undefined {
  const link = item?.querySelector<HTMLElement>('a, button')
  if (item && !link) item.tabIndex = -1
  return link ?? item
}

/** What screen readers say after the last press of the button. */
function useStatusText(): (outcome: Outcome | null) => string {
  const { t } = useTranslation()
  return function text(outcome) {
    if (outcome === null || outcome.hasFailed) return ''
    const { total, isAll } = outcome
    const loaded = { count: Math.max(0, total - outcome.before), total }
    return isAll ? t('common.loadedAll', loaded) : t('common.loadedMore', loaded)
  }
}

/** The note above the button, if any. */
function Note({ children }: { children: ReactNode }) {
  return children === undefined ? null : (
    <Text ta="center" mt="md" size="sm">
      {children}
    </Text>
  )
}

/**
 * A list with the button that loads more, and the error of a further page beside that button. Loading moves the focus
 * to the first new item, unless the reader has moved it; screen readers hear how many items there are. A page may be
 * empty even if more pages follow.
 */
export function LoadMore({ list, count, note, children }: LoadMoreProps) {
  const { t } = useTranslation()
  const statusText = useStatusText()
  const box = useRef<HTMLDivElement>(null)
  const foot = useRef<HTMLDivElement>(null)
  /** The number of items before the page that has just arrived; null once that page is drawn. */
  const [before, setBefore] = useState<number | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError: hasFailed = false } = list
  if (before !== null && !isFetchingNextPage) {
    setBefore(null)
    setOutcome({ before, total: count, hasFailed, isAll: !hasNextPage })
  }

  useEffect(() => {
    const { activeElement } = document
    // The button was busy, so it may have lost the focus.
    const isFree = activeElement === document.body || foot.current?.contains(activeElement)
    if (outcome === null || !isFree) return
    const isNothingNew = outcome.total === outcome.before && !outcome.isAll
    if (outcome.hasFailed || isNothingNew) return foot.current?.querySelector('button')?.focus()
    const items = itemsIn(box.current)
    const target = targetIn(items[outcome.before] ?? items.at(-1))
    ;(target ?? foot.current)?.focus()
  }, [outcome])

  async function load() {
    setOutcome(null)
    await list.fetchNextPage()
    setBefore(count)
  }

  return (
    <>
      <div ref={box}>{children}</div>
      <div ref={foot} tabIndex={-1}>
        {hasFailed ? (
          <Box mt="md">
            <ErrorBox of={{ error: list.error }} title={t('common.loadMoreFailed')} />
          </Box>
        ) : null}
        {hasNextPage ? (
          <>
            <Note>{note}</Note>
            <Center mt="md">
              <Button variant="default" loading={isFetchingNextPage} onClick={() => void load()}>
                {t(hasFailed ? 'common.retry' : 'common.loadMore')}
              </Button>
            </Center>
          </>
        ) : null}
        <VisuallyHidden>
          <output>{statusText(outcome)}</output>
        </VisuallyHidden>
      </div>
    </>
  )
}
