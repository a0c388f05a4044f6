import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A file to write and read that nobody else can open and that ends with its handle. Never one that is there already:
 * others may write to the directory.
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
