import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';

/** The built scripts and styles of the pages. Their names hold a hash of their content. */
export const STATIC_PREFIX = '/_next/static/';

/** True when the answer was begun; otherwise somebody else gives it. */
export type StaticDoor = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

const CONTENT_TYPES: Readonly<Partial<Record<string, string>>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
};

/**
 * Serves what the build compressed with Brotli, to whoever takes it: a tenth less than gzip made on the way, and no work at
 * each visit. What has no compressed twin is left to the renderer.
 *
 * @param distFolder where the pages were built to
 */
export async function createStaticDoor(distFolder: string): Promise<StaticDoor> {
  const files = await listCompressed(join(distFolder, 'static'));
  return (request, response, path) => {
    const file = files.get(path);
    const isAsked = request.method === 'GET' || request.method === 'HEAD';
    if (file === undefined || !isAsked || !takesBrotli(request.headers['accept-encoding'])) return false;
    response.writeHead(200, {
      'content-type': file.contentType,
      'content-encoding': 'br',
      'content-length': file.size,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    if (request.method === 'HEAD') response.end();
    else
      createReadStream(file.path)
        .on('error', () => response.destroy())
        .pipe(response);
    return true;
  };
}

interface CompressedFile {
  readonly path: string;
  readonly size: number;
  readonly contentType: string;
}

/** Read once, by name: no path of a request ever reaches the disk. */
async function listCompressed(folder: string): Promise<ReadonlyMap<string, CompressedFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found = new Map<string, CompressedFile>();
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith('.br')) continue;
    const path = join(entry.parentPath, entry.name);
    const plain = path.slice(0, -'.br'.length);
    const contentType = CONTENT_TYPES[extname(plain)];
    if (contentType === undefined) continue;
    const name = relative(folder, plain).split(sep).join('/');
    found.set(STATIC_PREFIX + name.split('/').map(encodeURIComponent).join('/'), {
      path,
      size: (await stat(path)).size,
      contentType,
    });
  }
  return found;
}

function takesBrotli(accepted: string | string[] | undefined): boolean {
  return /(^|,)\s*br\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/i.test(String(accepted ?? ''));
}
