// Just enough of paths to find included files, without the disk.

export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash + 1);
}

export function joinPath(folder: string, name: string): string {
  if (name.startsWith('/')) return name;
  const joined = folder === '' || folder.endsWith('/') ? folder + name : `${folder}/${name}`;
  return joined.replace(/^(\.\/)+/, '');
}
