// Renames bindings `at` that are indices to `index`.
import {parseAst} from 'rolldown/parseAst';
import {readFileSync,writeFileSync} from 'node:fs'; import {execSync} from 'node:child_process';
const write=process.argv.includes('--write');
const dirs=process.argv.slice(2).filter(a=>!a.startsWith('--'));
const files=execSync(`git ls-files ${dirs.map(d=>`'${d}'`).join(' ')}`,{encoding:'utf8'}).trim().split('\n').filter(f=>/\.tsx?$/.test(f));
const arrayMethods=new Set(['map','flatMap','filter','forEach','some','every','find','findIndex','findLast','findLastIndex','from','fromAsync']);
let count=0;
function walk(node,parents,visit){ if(!node||typeof node!=='object') return; if(Array.isArray(node)){for(const n of node) walk(n,parents,visit);return;} if(typeof node.type!=='string') {return;} visit(node,parents); const np=[...parents,node]; for(const k of Object.keys(node)){ if(k==='parent') continue; const v=node[k]; if(v&&typeof v==='object') walk(v,np,visit);} }
const declaresAt=(node)=>{ // whether pattern binds 'at'
  let r=false; walk(node,[],(n,p)=>{ if(n.type==='Identifier'&&n.name==='at'){const par=p.at(-1); if(par&&par.type==='Property'&&par.key===n&&par.value!==n) return; r=true;} }); return r; };
for(const f of files){
  const src=readFileSync(f,'utf8'); let ast; try{ast=parseAst(src,{lang:f.endsWith('x')?'tsx':'ts'},f);}catch(e){console.log('parse',f,String(e).slice(0,100));continue;}
  const edits=[];
  const rename=(scopeNodes,bindingId,why)=>{
    const local=[]; let clash=false; let shadow=false;
    const rec=(node,parent,key,gp)=>{
      if(!node||typeof node!=='object') return;
      if(Array.isArray(node)){node.forEach(n=>rec(n,parent,key,gp));return;}
      if(typeof node.type!=='string') return;
      if(node!==scopeNodes[0]&&/Function/.test(node.type)&&(node.params||[]).some(p=>declaresAt(p)) && !scopeNodes.includes(node)) {shadow=true;return;}
      if(node.type==='Identifier'){
        if(node.name==='index') clash=true;
        if(node.name==='at'){
          if(parent.type==='MemberExpression'&&key==='property'&&!parent.computed) return;
          if(parent.type==='Property'&&key==='key'&&!parent.shorthand) return;
          if(/^TSPropertySignature|PropertyDefinition|TSMethodSignature|TSParameter/.test(parent.type)&&key==='key') return;
          if(parent.type==='TSTypeReference') return;
          if(parent.type==='Property'&&parent.shorthand){ if(key==='key') return; local.push({start:node.start,end:node.end,text:'at: index'}); return; }
          local.push({start:node.start,end:node.end,text:'index'});
        }
        // type annotation within identifiers
      }
      for(const k of Object.keys(node)){ if(k==='parent') continue; const v=node[k]; if(v&&typeof v==='object') rec(v,node,k,parent);} };
    for(const s of scopeNodes) rec(s,{type:'Root'},'',null);
    if(clash){console.log('clash',f,src.slice(0,bindingId.start).split('\n').length,why);return;}
    if(shadow){console.log('shadow',f,src.slice(0,bindingId.start).split('\n').length,why);return;}
    edits.push(...local); count++;
  };
  walk(ast,[],(n,p)=>{
    if(n.type==='ArrowFunctionExpression'||n.type==='FunctionExpression'){
      const call=p.at(-1); const second=n.params[1];
      if(second?.type==='Identifier'&&second.name==='at'&&call?.type==='CallExpression'&&call.callee.type==='MemberExpression'&&arrayMethods.has(call.callee.property.name)&&call.arguments.includes(n)) rename([n],second,'callback');
    }
    if(n.type==='ForOfStatement'&&n.left.type==='VariableDeclaration'){ const id=n.left.declarations[0].id; if(id.type==='ArrayPattern'&&id.elements[0]?.type==='Identifier'&&id.elements[0].name==='at'&&/\.entries\(\)$/.test(src.slice(n.right.start,n.right.end))) rename([n],id.elements[0],'entries'); }
    if(n.type==='ForStatement'&&n.init?.type==='VariableDeclaration'){ const d=n.init.declarations.find(d=>d.id.type==='Identifier'&&d.id.name==='at'); if(d) rename([n],d.id,'for'); }
    if(n.type==='VariableDeclaration'){ const d=n.declarations.find(d=>d.id.type==='Identifier'&&d.id.name==='at'&&d.init&&/(findIndex|indexOf|search|findLastIndex|lastIndexOf)\(/.test(src.slice(d.init.start,d.init.end))); if(d){ const block=p.findLast(x=>x.type==='BlockStatement'||x.type==='Program'); if(block&&block.type==='BlockStatement') rename([block],d.id,'indexOf'); else console.log('top',f); } }
  });
  if(edits.length&&write){ const seen=new Set(); const u=edits.filter(e=>{const k=e.start+':'+e.end; if(seen.has(k)) return false; seen.add(k); return true;}).sort((a,b)=>b.start-a.start); let t=src; for(const e of u) t=t.slice(0,e.start)+e.text+t.slice(e.end); writeFileSync(f,t); }
}
console.log('bindings',count);
