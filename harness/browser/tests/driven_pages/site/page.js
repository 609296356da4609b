const id = (name) => document.getElementById(name);

// The button comes to life late, as in pages that ask a server first.
id('name').addEventListener('input', () => setTimeout(() => {
  document.querySelector('[type=submit]').disabled = id('name').value === '';
}, 100));

id('new').addEventListener('submit', (event) => {
  event.preventDefault();
  const split = document.querySelector('[name=split]:checked').value;
  setTimeout(() => {
    id('made').textContent = [id('name').value, id('since').value, id('store').value, split, id('keep').checked].join(' ');
  }, 100);
});

addEventListener('keydown', (event) => {
  if (['Alt', 'Shift'].includes(event.key)) return;
  id('keys').textContent += `${event.altKey ? 'Alt+' : ''}${event.shiftKey ? 'Shift+' : ''}${event.key} `;
  if (event.key === '?') document.querySelector('dialog').showModal();
});

id('files').addEventListener('dragover', (event) => event.preventDefault());
id('files').addEventListener('drop', async (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  id('files').textContent = `${file.name}: ${await file.text()}`;
});

document.querySelector('dialog button').addEventListener('click', () => {
  document.querySelector('dialog').close('helped');
});
