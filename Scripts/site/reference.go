// Command reference writes the documentation of the packages in the given folders as Markdown, by means of go/doc.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/printer"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"strings"
)

var files = token.NewFileSet()

func main() {
	for _, folder := range os.Args[1:] {
		write(read(folder))
	}
}

// read returns the package that is built from a folder, with its examples.
func read(folder string) *doc.Package {
	built, err := build.ImportDir(folder, 0)
	check(err)
	var parsed []*ast.File
	for _, names := range [][]string{built.GoFiles, built.CgoFiles, built.TestGoFiles, built.XTestGoFiles} {
		for _, name := range names {
			file, err := parser.ParseFile(files, filepath.Join(folder, name), nil, parser.ParseComments)
			check(err)
			parsed = append(parsed, file)
		}
	}
	documented, err := doc.NewFromFiles(files, parsed, built.Name)
	check(err)
	return documented
}

func write(p *doc.Package) {
	heading(2, "package "+p.Name, p.Name)
	text(p, p.Doc)
	examples(p, p.Examples)
	values(p, p.Consts)
	values(p, p.Vars)
	functions(p, p.Funcs, 3)
	for _, t := range p.Types {
		heading(3, "type "+t.Name, p.Name+"."+t.Name)
		code(t.Decl)
		text(p, t.Doc)
		examples(p, t.Examples)
		values(p, t.Consts)
		values(p, t.Vars)
		functions(p, t.Funcs, 4)
		functions(p, t.Methods, 4)
	}
}

func functions(p *doc.Package, all []*doc.Func, level int) {
	for _, f := range all {
		title, anchor := "func "+f.Name, p.Name+"."+f.Name
		if f.Recv != "" {
			title = fmt.Sprintf("func (%s) %s", f.Recv, f.Name)
			anchor = p.Name + "." + strings.TrimPrefix(f.Recv, "*") + "." + f.Name
		}
		heading(level, title, anchor)
		f.Decl.Body = nil
		code(f.Decl)
		text(p, f.Doc)
		examples(p, f.Examples)
	}
}

func values(p *doc.Package, all []*doc.Value) {
	for _, v := range all {
		code(v.Decl)
		text(p, v.Doc)
	}
}

func examples(p *doc.Package, all []*doc.Example) {
	for _, e := range all {
		text(p, e.Doc)
		code(&printer.CommentedNode{Node: e.Code, Comments: e.Comments})
	}
}

func heading(level int, title, anchor string) {
	fmt.Printf("%.*s `%s` { id=\"%s\" }\n\n", level, "######", title, anchor)
}

func text(p *doc.Package, said string) {
	printer := p.Printer()
	printer.HeadingLevel = 4
	printer.DocLinkURL = func(link *comment.DocLink) string {
		return "#" + strings.Join(strings.Fields(p.Name+" "+link.Recv+" "+link.Name), ".")
	}
	os.Stdout.Write(append(printer.Markdown(p.Parser().Parse(said)), '\n'))
}

func code(node any) {
	var out bytes.Buffer
	config := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 4}
	check(config.Fprint(&out, files, node))
	fmt.Printf("```go\n%s\n```\n\n", out.String())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
