import { Button, Center } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface LoadMoreProps {
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => Promise<unknown>
  }
}

/** The button below a list that goes on; nothing where it ends. */
export function LoadMore({ list }: LoadMoreProps) {
  const { t } = useTranslation()
  if (!list.hasNextPage) return null
  return (
    <Center mt="md">
      <Button
        variant="default"
        loading={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {t('common.loadMore')}
      </Button>
    </Center>
  )
}
