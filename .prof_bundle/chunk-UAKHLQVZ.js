function Tr(r,t){return`${r} ${t}${r===1?"":"s"}`}export{Tr as a};
