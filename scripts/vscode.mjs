// Packs the VS Code extension into a .vsix: a zip with the extension below `extension/` and two files of OPC around it. Written by hand, since
// the tool for it needs a newer Node, and the format is this small. Run: npm run vscode [-- FILE]

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url);
const path = (relative) => new URL(relative, root).pathname;
const SOURCE = 'editors/vscode';

export async function packExtension(target) {
  const manifest = JSON.parse(await readFile(path(`${SOURCE}/package.json`), 'utf8'));
  const bundled = await build({
    entryPoints: [path(`${SOURCE}/src/extension.js`)],
    bundle: true,
    minify: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node18',
    external: ['vscode'],
    logLevel: 'warning',
  });
  const files = [
    ['[Content_Types].xml', CONTENT_TYPES],
    ['extension.vsixmanifest', vsixManifest(manifest)],
    ['extension/extension.js', bundled.outputFiles[0].text],
  ];
  for (const name of [
    'package.json',
    'language-configuration.json',
    'README.md',
    'syntaxes/promela.tmLanguage.json',
    'syntaxes/lks.tmLanguage.json',
    'syntaxes/ecfsm.tmLanguage.json',
  ])
    files.push([`extension/${name}`, await readFile(path(`${SOURCE}/${name}`), 'utf8')]);
  files.push(['extension/LICENSE.txt', await readFile(path('LICENSE'), 'utf8')]);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, zip(files));
  return target;
}

const CONTENT_TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".js" ContentType="application/javascript"/><Default Extension=".md" ContentType="text/markdown"/><Default Extension=".txt" ContentType="text/plain"/><Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
`;

const escaped = (text) => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

const vsixManifest = ({
  name,
  version,
  publisher,
  displayName,
  description,
  keywords,
  categories,
  engines,
}) =>
  `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Tags>${escaped(keywords.join(','))}</Tags>
    <Categories>${escaped(categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionDependencies" Value=""/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionPack" Value=""/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
`;

/** The plainest zip there is: deflated entries, no dates, then the directory. The same input gives the same file. */
function zip(files) {
  const bodies = [];
  const directory = [];
  let offset = 0;
  for (const [name, text] of files) {
    const content = Buffer.from(text, 'utf8');
    const packed = deflateRawSync(content, { level: 9 });
    const label = Buffer.from(name, 'utf8');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt16LE(0, 6);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, label, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, label]));
    bodies.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, central, end]);
}

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const version = JSON.parse(await readFile(path(`${SOURCE}/package.json`), 'utf8')).version;
  const target = process.argv[2] ?? path(`dist/spillway-${version}.vsix`);
  console.log(await packExtension(target));
}
