import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { apiUrl } from '../../lib/api/api.ts'

/** A link as a button that downloads a file. @param address as `addressOfCall` gives it */
export function DownloadLink({ address, label }: { address: string; label: string }) {
  return (
    <Button
      component="a"
      href={apiUrl(address)}
      download
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden="true" />}
    >
      {label}
    </Button>
  )
}
