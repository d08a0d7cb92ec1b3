// For bundles that run in a browser. Our own code imports nothing of Node's there: an attempt is an error of the build. Packages compiled to
// WebAssembly carry code for Node beside their code for browsers, behind a test that is false in one: it finds an empty module.

export const withoutNode = () => ({
  name: 'without-node',
  setup(build) {
    build.onResolve(
      { filter: /^(node:|(fs|path|url|crypto|module|worker_threads|child_process|vm|os|util)$)/ },
      ({ path, importer }) =>
        importer.includes('/node_modules/')
          ? { path, namespace: 'absent' }
          : { errors: [{ text: `${importer} imports ${path}, which no browser has` }] },
    );
    build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
      contents: 'export default {};',
      loader: 'js',
    }));
  },
});
