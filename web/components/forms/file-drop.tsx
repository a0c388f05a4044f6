import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import type { ReactNode } from 'react'
import classes from './file-drop.module.css'

interface FileDropProps {
  /** Names the field. */
  label: string
  /** What to do here. */
  prompt: string
  /** The largest file, in bytes. */
  maxSize: number
  loading?: boolean
  icon: ReactNode
  /** What the area says: the prompt, or what was picked. */
  children: ReactNode
  onFile: (file: File) => void
  /** Called for a file that is too large. */
  onReject: () => void
}

/** The area on which a file is dropped, or chosen by a click. */
export function FileDrop(props: FileDropProps) {
  const { label, prompt, maxSize, loading = false, icon, children, onFile, onReject } = props
  return (
    <Dropzone
      onDrop={([file]) => {
        if (file) onFile(file)
      }}
      onReject={onReject}
      loading={loading}
      multiple={false}
      maxSize={maxSize}
      className={classes.drop}
      inputProps={{ 'aria-label': label }}
      aria-label={prompt}
    >
      <div className={classes.dropText}>
        {icon}
        <span>{children}</span>
      </div>
    </Dropzone>
  )
}
