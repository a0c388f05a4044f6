import { Button, FileButton } from '@mantine/core'
import { useRef, type ReactNode } from 'react'

interface FilePickButtonProps {
  accept: string
  icon: ReactNode
  onPick: (file: File) => void
  children: ReactNode
}

/** A button that picks one file. The user can pick the same file again. */
export function FilePickButton({ accept, icon, onPick, children }: FilePickButtonProps) {
  const reset = useRef<() => void>(null)
  return (
    <FileButton
      accept={accept}
      resetRef={reset}
      onChange={(file) => {
        if (file === null) return
        onPick(file)
        reset.current?.()
      }}
    >
      {(props) => (
        <Button {...props} variant="default" leftSection={icon}>
          {children}
        </Button>
      )}
    </FileButton>
  )
}
