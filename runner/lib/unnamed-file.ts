import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Opens a new file for reading and writing that has no name, so only its owner can open it, and it ends with its handle.
 * It fails on an existing file, because others may write to the directory.
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
