import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Opens a new file for reading and writing and removes its name: nobody else can open it, and it ends with its handle.
 * An existing file is an error, because others may write to the directory.
 */
export async function openUnnamedFile(directory: string): Promise<FileHandle> {
  const path = join(directory, `tmp-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
